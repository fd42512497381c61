/**
 * @class   vtkSQAlgorithm
 * @brief   what the filters of SpatialQueries share: ports, time steps, device and threads
 *
 * Port 0 is Input, any data set or composite of data sets; the output has its type, unless the filter names a type of its
 * own in FillOutputPortInformation(). A second port is optional for the
 * pipeline, and the pipeline checks no types, so that the filter itself can say in one line what is wrong. The
 * filters see whole composites: the second input is searched as one mesh.
 */
#ifndef vtkSQAlgorithm_h
#define vtkSQAlgorithm_h

#include "vtkDataObjectAlgorithm.h"
#include "vtkSQFiltersModule.h" // for export macro

#include "spatialqueries/sq_context.h" // for limits and defaults

#include <string> // for std::string

class VTKSQFILTERS_EXPORT vtkSQAlgorithm : public vtkDataObjectAlgorithm
{
public:
  vtkTypeMacro(vtkSQAlgorithm, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * 0 Automatic, 1 CPU, 2 GPU. Automatic falls back to the CPU silently; GPU without a usable device is an error.
   * Default 0.
   */
  vtkSetClampMacro(Device, int, 0, 2);
  vtkGetMacro(Device, int);
  ///@}

  ///@{
  /**
   * Threads of one execution; 0: the cores of the machine, divided by the ranks on it. The environment variable
   * SQ_NUM_THREADS caps it. Results are the same bits for any number. Default 0.
   */
  vtkSetClampMacro(Threads, int, SQ_THREADS_MIN, SQ_THREADS_MAX);
  vtkGetMacro(Threads, int);
  ///@}

protected:
  vtkSQAlgorithm() = default;
  ~vtkSQAlgorithm() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestInformation(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

  /** Asks for all of what comes in on a port, whatever part of the output is wanted; NULL is allowed. */
  static void RequestWhole(vtkInformation* input);

  /** The name of an array that was set with SetInputArrayToProcess(); "" for none and for "None". */
  std::string ChosenArray(int index);

private:
  vtkSQAlgorithm(const vtkSQAlgorithm&) = delete;
  void operator=(const vtkSQAlgorithm&) = delete;

  int Device = 0;
  int Threads = SQ_THREADS_DEFAULT;
};

#endif
