/* Memory format tags: the dense plain layouts that have a name. Valid C99 and C++11.
 *
 * The letters are the tensor's dims in logical order, a first; the name spells them from the
 * outermost in memory to the innermost: dnnl_acb keeps dim c outside of dim b. The aliases below
 * name the same layouts in the words of CNN and RNN tensors. spec/memory_formats.txt calls giodhw
 * an alias of abcdef; its letters say acbdef, and so does this header.
 *
 * The numbers are those of oneDNN 3, so that a program that was compiled with its headers means the same layouts. */
#ifndef ONEAPI_DNNL_DNNL_FORMAT_TAGS_H
#define ONEAPI_DNNL_DNNL_FORMAT_TAGS_H

#include "oneapi/dnnl/dnnl_config.h"

typedef enum TANDEM_ENUM_BASE {
  /* A zero memory descriptor: the tensor is absent. */
  dnnl_format_tag_undef = 0,
  /* The primitive chooses the layout. */
  dnnl_format_tag_any = 1,

  dnnl_a = 2,
  dnnl_ab,
  dnnl_abc,
  dnnl_abcd,
  dnnl_abcde,
  dnnl_abcdef,
  dnnl_abcdefg,
  dnnl_abcdefgh,
  dnnl_abcdefghi,
  dnnl_abcdefghij,
  dnnl_abcdefghijk,
  dnnl_abcdefghijkl,
  dnnl_ba,
  dnnl_acb,
  dnnl_bac,
  dnnl_bca,
  dnnl_cab,
  dnnl_cba,
  dnnl_abdc,
  dnnl_acbd,
  dnnl_acdb,
  dnnl_adbc,
  dnnl_adcb,
  dnnl_bacd,
  dnnl_bcda,
  dnnl_cdab,
  dnnl_cdba,
  dnnl_dcab,
  dnnl_abced,
  dnnl_abdec,
  dnnl_acbde,
  dnnl_acdeb,
  dnnl_adecb,
  dnnl_bacde,
  dnnl_bcdea,
  dnnl_cdeab,
  dnnl_cdeba,
  dnnl_decab,
  dnnl_abcdfe,
  dnnl_abdefc,
  dnnl_abdfce,
  dnnl_acbdef,
  dnnl_adefcb,
  dnnl_defcab,
  dnnl_abcdegf,
  dnnl_abcdefhg,
  dnnl_abcdefgih,
  dnnl_abcdefghji,
  dnnl_abcdefghikj,
  dnnl_abcdefghijlk,
  dnnl_bcad = 835,
  dnnl_cabd,
  dnnl_dabc,
  dnnl_format_tag_last = 875, /* more than every layout; oneDNN names blocked layouts between */

  /* CNN activations. */
  dnnl_x = dnnl_a,
  dnnl_nc = dnnl_ab,
  dnnl_cn = dnnl_ba,
  dnnl_ncw = dnnl_abc,
  dnnl_nwc = dnnl_acb,
  dnnl_nchw = dnnl_abcd,
  dnnl_nhwc = dnnl_acdb,
  dnnl_chwn = dnnl_bcda,
  dnnl_ncdhw = dnnl_abcde,
  dnnl_ndhwc = dnnl_acdeb,

  /* CNN weights. */
  dnnl_oi = dnnl_ab,
  dnnl_io = dnnl_ba,
  dnnl_oiw = dnnl_abc,
  dnnl_owi = dnnl_acb,
  dnnl_wio = dnnl_cba,
  dnnl_woi = dnnl_cab,
  dnnl_iwo = dnnl_bca,
  dnnl_oihw = dnnl_abcd,
  dnnl_hwio = dnnl_cdba,
  dnnl_hwoi = dnnl_cdab,
  dnnl_ohwi = dnnl_acdb,
  dnnl_ihwo = dnnl_bcda,
  dnnl_iohw = dnnl_bacd,
  dnnl_oidhw = dnnl_abcde,
  dnnl_dhwio = dnnl_cdeba,
  dnnl_dhwoi = dnnl_cdeab,
  dnnl_odhwi = dnnl_acdeb,
  dnnl_iodhw = dnnl_bacde,
  dnnl_idhwo = dnnl_bcdea,

  /* CNN weights with groups. */
  dnnl_goiw = dnnl_abcd,
  dnnl_gowi = dnnl_abdc,
  dnnl_wigo = dnnl_dcab,
  dnnl_gwio = dnnl_adcb,
  dnnl_goihw = dnnl_abcde,
  dnnl_gohwi = dnnl_abdec,
  dnnl_hwigo = dnnl_decab,
  dnnl_ghwio = dnnl_adecb,
  dnnl_giohw = dnnl_acbde,
  dnnl_goidhw = dnnl_abcdef,
  dnnl_godhwi = dnnl_abdefc,
  dnnl_giodhw = dnnl_acbdef,
  dnnl_dhwigo = dnnl_defcab,
  dnnl_gdhwio = dnnl_adefcb,

  /* RNN. */
  dnnl_tn = dnnl_ab,
  dnnl_nt = dnnl_ba,
  dnnl_tnc = dnnl_abc,
  dnnl_ntc = dnnl_bac,
  dnnl_ldnc = dnnl_abcd,
  dnnl_ldigo = dnnl_abcde,
  dnnl_ldgoi = dnnl_abdec,
  dnnl_ldio = dnnl_abcd,
  dnnl_ldoi = dnnl_abdc,
  dnnl_ldgo = dnnl_abcd,
} dnnl_format_tag_t;

#endif
