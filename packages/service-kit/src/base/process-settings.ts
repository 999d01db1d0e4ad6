import { join } from 'node:path'

/** Code without types and compiled code, for the next start of any process of this workspace. */
const COMPILE_CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/node')

/** Limits of V8's heap, MB; three semi-spaces are the young generation. */
type Heap = { oldGenerationMb: number; semiSpaceMb: number }

/**
 * Memory, threads and compile cache of a process, as in the image and in `pnpm start`. The size of the old generation
 * stands for the limit of a container, half of which V8 takes: it collects an old generation of up to 256 MB at 1.3
 * times what is in use, without a limit at four times.
 */
export const processSettings = ({ oldGenerationMb, semiSpaceMb }: Heap) => ({
  arguments: [`--max-semi-space-size=${semiSpaceMb}`, `--max-old-space-size=${oldGenerationMb}`],
  env: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    UV_THREADPOOL_SIZE: '12',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
  },
})

/**
 * Of a process of the cluster, and of the store in one process. One process serves all requests: with 2 MB, of which
 * the services of a cluster take less memory, collecting garbage was 14 % of its CPU time.
 */
export const HEAP: Record<'cluster' | 'store', Heap> = {
  cluster: { oldGenerationMb: 256, semiSpaceMb: 2 },
  store: { oldGenerationMb: 512, semiSpaceMb: 8 },
}
