/* Attributes of gates that oneDNN does not have: functions, a clip, a coupled forget gate. */
#include "api/c/expect_testing.h"

int GatesInC(void);
int GatesInC(void) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_alg_kind_t kind = dnnl_alg_kind_undef;
  float alpha = -1, beta = -1, clip = -1;
  int coupled = -1;
  ExpectStatus(dnnl_primitive_attr_create(&attr), dnnl_success, "attr_create");
  ExpectStatus(tandem_primitive_attr_get_rnn_activation(attr, tandem_gate_output, &kind, &alpha, &beta), dnnl_success,
               "get the default function");
  Expect(kind == dnnl_eltwise_tanh, "h = o tanh(c)");
  ExpectStatus(
      tandem_primitive_attr_set_rnn_activation(attr, tandem_gate_recurrent, dnnl_eltwise_hardsigmoid, 0.2f, 0.5f),
      dnnl_success, "set a function");
  ExpectStatus(tandem_primitive_attr_get_rnn_activation(attr, tandem_gate_recurrent, &kind, &alpha, &beta),
               dnnl_success, "get a function");
  Expect(kind == dnnl_eltwise_hardsigmoid && alpha == 0.2f && beta == 0.5f, "the function that was set");
  ExpectStatus(tandem_primitive_attr_get_rnn_activation(attr, tandem_gate_recurrent, &kind, NULL, &beta),
               dnnl_invalid_arguments, "no pointer");
  ExpectStatus(tandem_primitive_attr_set_rnn_activation(attr, tandem_gate_recurrent, dnnl_vanilla_lstm, 0, 0),
               dnnl_invalid_arguments, "no activation");
  ExpectStatus(tandem_primitive_attr_set_rnn_activation(attr, (tandem_gate_place_t)3, dnnl_eltwise_tanh, 0, 0),
               dnnl_invalid_arguments, "no place");
  ExpectStatus(tandem_primitive_attr_set_rnn_activation(attr, tandem_gate_recurrent, dnnl_eltwise_logistic, 0, 0),
               dnnl_success, "the default again");
  ExpectStatus(tandem_primitive_attr_set_rnn_clip(attr, 2.5f), dnnl_success, "set a clip");
  ExpectStatus(tandem_primitive_attr_get_rnn_clip(attr, &clip), dnnl_success, "get the clip");
  Expect(clip == 2.5f, "the clip that was set");
  ExpectStatus(tandem_primitive_attr_get_rnn_clip(attr, NULL), dnnl_invalid_arguments, "no pointer");
  ExpectStatus(tandem_primitive_attr_set_rnn_clip(attr, 0), dnnl_success, "no clip again");
  ExpectStatus(tandem_primitive_attr_set_rnn_input_forget(attr, 1), dnnl_success, "couple the forget gate");
  ExpectStatus(tandem_primitive_attr_get_rnn_input_forget(attr, &coupled), dnnl_success, "get it");
  Expect(coupled == 1, "a coupled forget gate");
  ExpectStatus(tandem_primitive_attr_set_rnn_input_forget(attr, 0), dnnl_success, "uncouple it");
  dnnl_primitive_attr_destroy(attr);
  return failures;
}
