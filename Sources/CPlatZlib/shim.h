#ifndef CPLAT_ZLIB_SHIM_H
#define CPLAT_ZLIB_SHIM_H

#include <zlib.h>

#endif
