#include "CPlatSystem.h"

#include <string.h>

// The attribute lets one function use instructions that the program as a whole must not rely on;
// whether the processor has them is asked at run time.
#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRC_TARGET __attribute__((target("sse4.2")))
#define CRC_8 _mm_crc32_u64
#define CRC_1 _mm_crc32_u8
typedef uint64_t Sum;

static int has_crc(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__) && defined(__linux__)
#include <arm_acle.h>
#include <sys/auxv.h>
#define CRC_TARGET __attribute__((target("+crc")))
#define CRC_8 __crc32cd
#define CRC_1 __crc32cb
typedef uint32_t Sum;

static int has_crc(void) { return (getauxval(AT_HWCAP) & (1UL << 7)) != 0; }  // HWCAP_CRC32

#endif

#ifdef CRC_TARGET

CRC_TARGET static uint32_t add(const unsigned char *bytes, size_t count) {
  Sum sum = UINT32_MAX;
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    sum = CRC_8(sum, word);
  }
  for (; count > 0; count--, bytes++) sum = CRC_1((uint32_t)sum, *bytes);
  return ~(uint32_t)sum;
}

int plat_crc32c(const void *bytes, size_t count, uint32_t *sum) {
  if (!has_crc()) return 0;
  *sum = add(bytes, count);
  return 1;
}

#else

int plat_crc32c(const void *bytes, size_t count, uint32_t *sum) {
  (void)bytes, (void)count, (void)sum;
  return 0;
}

#endif
