/* What the tests in C have in common: expectations that are counted, so that a test says all that is wrong. */
#ifndef TANDEM_API_C_EXPECT_TESTING_H_
#define TANDEM_API_C_EXPECT_TESTING_H_

#include <stdio.h>

#include "dnnl.h"
#include "dnnl_debug.h"

static int failures = 0;

static void Expect(int ok, const char* what) {
  if (ok) return;
  printf("FAILED: %s (last error: %s)\n", what, tandem_last_error());
  ++failures;
}

static void ExpectStatus(dnnl_status_t got, dnnl_status_t want, const char* what) {
  if (got == want) return;
  printf("FAILED: %s: is %s, but must be %s (%s)\n", what, dnnl_status2str(got), dnnl_status2str(want),
         tandem_last_error());
  ++failures;
}

#endif
