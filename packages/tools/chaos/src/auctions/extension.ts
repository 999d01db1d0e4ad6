import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ClusterExtension } from '@nifty/testkit/cluster-extension'

const preload = pathToFileURL(join(import.meta.dirname, '../storm/failpoints/preload.ts')).href

/** Failpoints in every process. */
export const extendCluster: ClusterExtension = async () => ({ env: {}, nodeArguments: () => ['--import', preload] })
