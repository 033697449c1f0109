/* A C program outside the project has a function that RNN clients call without a primitive, and an error's sentence. */
#include <stdio.h>

#include "dnnl.h"

int main(void) {
  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  float c[4] = {-1, -1, -1, -1};
  const float expected[4] = {19, 22, 43, 50};
  dnnl_engine_t engine = NULL;
  int i;
  if (dnnl_sgemm('N', 'N', 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, c, 2) != dnnl_success) return 2;
  if (dnnl_engine_create(&engine, dnnl_gpu, 0) != dnnl_invalid_arguments || *tandem_last_error() == '\0') return 3;
  for (i = 0; i < 4; ++i) {
    if (c[i] != expected[i]) {
      printf("element %d is %g, want %g\n", i, c[i], expected[i]);
      return 1;
    }
  }
  return 0;
}
