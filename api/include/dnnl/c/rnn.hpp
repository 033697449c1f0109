// Bodies of rnn_generation2.h and rnn_generation3.h.
#ifndef DNNL_C_RNN_HPP
#define DNNL_C_RNN_HPP

#include "dnnl/c/rnn_augru.hpp"
#include "dnnl/c/rnn_gru.hpp"
#include "dnnl/c/rnn_lstm.hpp"

#endif
