/**
 * Memory and threads of a process, as in the image and in `pnpm start`. The size of the old generation, MB, stands for the limit of a
 * container, half of which V8 takes: it collects an old generation of up to 256 MB at 1.3 times what is in use, without a limit at
 * four times.
 */
export const processSettings = (oldGenerationMb: number) => ({
  arguments: ['--max-semi-space-size=2', `--max-old-space-size=${oldGenerationMb}`],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '12' },
})

/** MB; of a process of the cluster, and of the store in one process. */
export const OLD_GENERATION_MB = { cluster: 256, store: 512 }
