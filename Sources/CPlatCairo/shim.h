#ifndef CPLAT_CAIRO_SHIM_H
#define CPLAT_CAIRO_SHIM_H

#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>

#endif
