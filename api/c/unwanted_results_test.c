/* What oneDNN's own classes call beyond generation 3's first functions, results that a client does not want, and null where a
 * matrix or a result is needed. */
#include "api/c/expect_testing.h"

/* What oneDNN's own classes call, and results that a client does not want. */
static void Attributes(void) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_post_ops_t ops = NULL;
  const float* values = NULL;
  float number = 0.f;
  dnnl_dim_t count = 0;
  int applies = -1;
  dnnl_alg_kind_t kind = dnnl_alg_kind_undef;
  ExpectStatus(dnnl_primitive_attr_create(&attr), dnnl_success, "attr_create");
  ExpectStatus(dnnl_primitive_attr_set_scales_v2(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_f32, 0), dnnl_success, "v2");
  ExpectStatus(dnnl_primitive_attr_set_scales_v2(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_f32, 1), dnnl_success, "host");
  ExpectStatus(dnnl_primitive_attr_set_scales_v3(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_f32, 0,
                                                 dnnl_quantization_mode_static_sazp),
               dnnl_success, "v3");
  ExpectStatus(
      dnnl_primitive_attr_set_scales_v3(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_f32, 0, dnnl_quantization_mode_dynamic_mx),
      dnnl_success, "dynamic");
  ExpectStatus(dnnl_primitive_attr_set_zero_points_v2(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_s32, 0), dnnl_success,
               "zp v2");
  ExpectStatus(dnnl_primitive_attr_set_zero_points_v2(attr, DNNL_ARG_DST, 0, 0, NULL, dnnl_s32, 1), dnnl_success,
               "zero point on the host");
  ExpectStatus(dnnl_primitive_attr_set_rnn_data_qparams(attr, 2.f, 3.f), dnnl_success, "set_rnn_data_qparams");
  ExpectStatus(dnnl_primitive_attr_get_rnn_data_qparams(attr, NULL, &number), dnnl_success, "shift alone");
  Expect(number == 3.f, "the shift");
  ExpectStatus(dnnl_primitive_attr_get_rnn_weights_qparams(attr, &count, NULL, &values), dnnl_success, "no mask");
  Expect(count == 1 && values[0] == 1.f, "one scale");
  ExpectStatus(dnnl_primitive_attr_get_fpmath_mode_v2(attr, NULL, &applies), dnnl_success, "applies alone");
  Expect(applies == 0, "fpmath mode applies to floats");
  ExpectStatus(dnnl_primitive_attr_set_rounding(NULL, DNNL_ARG_DST, dnnl_rounding_mode_environment),
               dnnl_invalid_arguments, "set_rounding of NULL");
  ExpectStatus(dnnl_post_ops_create(&ops), dnnl_success, "post_ops_create");
  ExpectStatus(dnnl_post_ops_append_sum(ops, 2.f, 3, dnnl_s8), dnnl_success, "append_sum");
  ExpectStatus(dnnl_post_ops_append_eltwise(ops, dnnl_eltwise_relu, 0.f, 0.f), dnnl_success, "append_eltwise");
  ExpectStatus(dnnl_post_ops_get_params_sum(ops, 0, &number, NULL, NULL), dnnl_success, "scale alone");
  Expect(number == 2.f, "the scale");
  ExpectStatus(dnnl_post_ops_get_params_eltwise(ops, 1, &kind, NULL, NULL), dnnl_success, "kind alone");
  Expect(kind == dnnl_eltwise_relu, "the kind");
  dnnl_post_ops_destroy(ops);
  dnnl_primitive_attr_destroy(attr);
}

static void Nulls(void) {
  float x = 1.f;
  uint8_t u = 1;
  int8_t s = 1;
  int32_t c = 0, co = 0;
  const dnnl_status_t invalid = dnnl_invalid_arguments;
  ExpectStatus(dnnl_sgemm('N', 'N', 1, 1, 1, 1.f, NULL, 1, &x, 1, 0.f, &x, 1), invalid, "sgemm without A");
  ExpectStatus(dnnl_sgemm('N', 'N', 1, 1, 1, 1.f, &x, 1, NULL, 1, 0.f, &x, 1), invalid, "sgemm without B");
  ExpectStatus(dnnl_sgemm('N', 'N', 1, 1, 1, 1.f, &x, 1, &x, 1, 0.f, NULL, 1), invalid, "sgemm without C");
  ExpectStatus(dnnl_gemm_u8s8s32('N', 'N', 'F', 1, 1, 1, 1.f, &u, 1, 0, NULL, 1, 0, 0.f, &c, 1, &co), invalid, "no B");
  ExpectStatus(dnnl_gemm_s8s8s32('N', 'N', 'F', 1, 1, 1, 1.f, &s, 1, 0, &s, 1, 0, 0.f, NULL, 1, &co), invalid, "no C");
}

static void PrimitiveWithoutAResult(void) {
  const dnnl_dims_t dims = {1};
  dnnl_engine_t engine = NULL;
  dnnl_memory_desc_t md = NULL;
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  ExpectStatus(dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_success, "engine_create");
  ExpectStatus(dnnl_memory_desc_create_with_tag(&md, 1, dims, dnnl_f32, dnnl_a), dnnl_success, "create_with_tag");
  ExpectStatus(dnnl_reorder_primitive_desc_create(&pd, md, engine, md, engine, NULL), dnnl_success, "reorder");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  ExpectStatus(dnnl_primitive_get_primitive_desc(primitive, NULL), dnnl_invalid_arguments, "no pointer for the result");
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_memory_desc_destroy(md);
  dnnl_engine_destroy(engine);
}

int UnwantedResultsInC(void);
int UnwantedResultsInC(void) {
  Attributes();
  Nulls();
  PrimitiveWithoutAResult();
  return failures;
}
