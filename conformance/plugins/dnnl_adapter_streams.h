// Runs a problem step by step with Tandem's streams, from the arguments of its execution.
#ifndef TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_STREAMS_H_
#define TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_STREAMS_H_

#ifdef TANDEM_ADAPTER_OWN

#include <unordered_map>
#include <vector>

#include "conformance/plugins/dnnl_adapter_request.h"
#include "dnnl/rnn_stream.h"

namespace tandem::conformance::adapter {

// Throws unimplemented, with a sentence, for a problem that streams do not serve.
void CheckStreamed(const Request& request);

class StreamedRun {
 public:
  StreamedRun(const Request& request, const dnnl::primitive_desc& pd,
              const std::unordered_map<int, dnnl::memory>& args);
  ~StreamedRun();
  StreamedRun(const StreamedRun&) = delete;
  StreamedRun& operator=(const StreamedRun&) = delete;

  // Steps through the problem, from and to the user's memories.
  void Run(const std::unordered_map<int, dnnl::memory>& users);

  // For timing Begin() is called once. Each StepAgain() goes on from the states of the last one; it returns false if it fails.
  void Begin(const std::unordered_map<int, dnnl::memory>& users);
  bool StepAgain();

 private:
  void Reorder(dnnl::memory& from, dnnl::memory& to) const;
  dnnl::memory Dense(const std::unordered_map<int, dnnl::memory>& users, int arg, dnnl::memory::data_type type) const;
  void LoadStates(const std::unordered_map<int, dnnl::memory>& users);
  void SaveStates(const std::unordered_map<int, dnnl::memory>& users);
  void StepAll(const dnnl::memory& x, const dnnl::memory& attention, dnnl::memory& y);
  void StepRows(const std::vector<dnnl_dim_t>& rows, const char* x, const char* attention, char* y);

  const Request& request_;
  dnnl_dim_t layers_, steps_, rows_, dic_, dhc_;
  size_t x_step_ = 0, attention_step_ = 0, y_step_ = 0;  // bytes
  std::vector<dnnl_dim_t> all_;                          // rows
  dnnl::memory x_, attention_, y_;                       // dense
  tandem_rnn_stream_sizes_t sizes_ = {};
  tandem_rnn_stream_plan_t plan_ = nullptr;
  tandem_rnn_stream_t stream_ = nullptr;
};

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_ADAPTER_OWN
#endif  // TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_STREAMS_H_
