/** `pnpm events:record`: writes new events and optional additions to schemas.json. Refuses every other change. */
import { writeFileSync } from 'node:fs'
import { presentSnapshot, readSnapshot, refusedChanges, snapshotFile, snapshotText } from './snapshot.ts'

const present = presentSnapshot()
const refused = refusedChanges(readSnapshot(), present)
for (const line of refused) process.stderr.write(`${line}\n`)
if (refused.length > 0) process.exitCode = 1
else writeFileSync(snapshotFile, snapshotText(present))
