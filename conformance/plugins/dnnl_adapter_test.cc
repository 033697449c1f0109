// A host of a later version may ask for something that the adapter does not know. The adapter must refuse: another computation
// would give the library a verdict that it does not deserve.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "conformance/stated_problem.h"

namespace tandem::conformance {
namespace {

void SetOnes(StatedProblem* stated, int tensor, int ndims) {
  tandem_tensor& t = stated->tensor[tensor];
  t.ndims = ndims;
  t.data_type = tandem_f32;
  for (int i = 0; i < ndims; ++i) t.dims[i] = t.strides[i] = 1;
}

// Describes one step of a vanilla RNN with one channel.
StatedProblem SmallestProblem() {
  StatedProblem stated;
  tandem_problem& p = stated.problem;
  p.cell = tandem_vanilla_rnn;
  p.activation = tandem_tanh;
  p.n_layer = p.n_dir = p.n_iter = p.mb = p.slc = p.sic = p.dhc = p.dic = p.dlc = 1;
  for (const int tensor : {tandem_src_layer, tandem_dst_layer}) SetOnes(&stated, tensor, 3);
  for (const int tensor : {tandem_weights_layer, tandem_weights_iter}) SetOnes(&stated, tensor, 5);
  return stated;
}

class Adapter : public testing::Test {
 protected:
  void SetUp() override {
    void* const library = dlopen("conformance/plugins/reference_plugin.so", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    plugin_ = reinterpret_cast<tandem_get_plugin_function>(dlsym(library, "tandem_get_plugin"))(TANDEM_PLUGIN_ABI);
    ASSERT_NE(plugin_, nullptr);
  }

  int32_t Supports(StatedProblem stated) {
    tandem_requirements needs = {};
    needs.size = sizeof needs;
    char reason[256] = "";
    const int32_t answer = plugin_->supports(plugin_, stated.get(), &needs, reason, sizeof reason);
    reason_ = reason;
    return answer;
  }

  const tandem_plugin* plugin_ = nullptr;
  std::string reason_;
};

TEST_F(Adapter, RefusesAnActivationThatItDoesNotKnow) {
  StatedProblem stated = SmallestProblem();
  for (int32_t activation = 0; activation < TANDEM_NUM_ACTIVATIONS; ++activation) {
    stated.problem.activation = activation;
    EXPECT_EQ(Supports(stated), tandem_ok) << activation << ": " << reason_;
  }
  stated.problem.activation = TANDEM_NUM_ACTIVATIONS;
  EXPECT_EQ(Supports(stated), tandem_not_supported);
  EXPECT_NE(reason_.find("activation"), std::string::npos) << reason_;
}

TEST_F(Adapter, RefusesADirectionThatItDoesNotKnow) {
  StatedProblem stated = SmallestProblem();
  stated.problem.direction = tandem_bidirectional_sum + 1;
  EXPECT_EQ(Supports(stated), tandem_not_supported);
  EXPECT_NE(reason_.find("direction"), std::string::npos) << reason_;
}

}  // namespace
}  // namespace tandem::conformance
