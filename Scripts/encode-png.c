// Measures how long Cairo takes to write a picture as PNG. Usage: encode-png FILE
//
// Prints the median CPU time of five times, in milliseconds, and the number of bytes that Cairo makes
// of the picture. Exit status: 0, 1 if the file cannot be read or encoded, 2 after a wrong command line.
#include <cairo/cairo.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5 };

static cairo_status_t count(void *size, const unsigned char *data, unsigned int length) {
  (void)data;
  *(size_t *)size += length;
  return CAIRO_STATUS_SUCCESS;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int main(int argument_count, char **words) {
  if (argument_count != 2) {
    fputs("usage: encode-png FILE\n", stderr);
    return 2;
  }
  cairo_surface_t *picture = cairo_image_surface_create_from_png(words[1]);
  cairo_status_t status = cairo_surface_status(picture);
  double times[ROUNDS];
  size_t size = 0;
  for (int round = 0; round < ROUNDS && status == CAIRO_STATUS_SUCCESS; round++) {
    clock_t start = clock();
    size = 0;
    status = cairo_surface_write_to_png_stream(picture, count, &size);
    times[round] = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
  }
  cairo_surface_destroy(picture);
  if (status != CAIRO_STATUS_SUCCESS) {
    fprintf(stderr, "encode-png: %s: %s\n", words[1], cairo_status_to_string(status));
    return 1;
  }
  qsort(times, ROUNDS, sizeof *times, compare);
  printf("%.1f %zu\n", times[ROUNDS / 2], size);
  return 0;
}
