import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

/**
 * Words that this code base once used with a meaning of its own, although they mean something else to engineers of the
 * field. Common words are refused only in the form in which they had that meaning. `except`: files with a legitimate
 * use.
 */
const misleading: { pattern: RegExp; instead: string; except?: RegExp }[] = [
  { pattern: /\blanes?\b|[a-z]Lanes?\b|\bLanes?\b|\blane_/, instead: 'nonce queue, signer, chain transaction' },
  { pattern: /\bsettle(s|Work)?\b(?!ment)/, instead: 'resolve, finalize, drain, poll' },
  { pattern: /payments\.order-(?!line-|authorised\b|payment-failed\b)[a-z]/, instead: 'payments.order-line-…' },
  { pattern: /\bwish(es|ed|ing)?\b|\bwishStop\b|delisting-wished/i, instead: 'request, option' },
  { pattern: /\brestOrder\b|\bRestOrder\b|kind: 'rest'/, instead: 'scheduleNextRun, done' },
  { pattern: /\bdesks?\b|\bDesk\b/, instead: 'worker pool' },
  { pattern: /\bServiceParts\b|\/parts\//, instead: 'context, component, dev-servers' },
  { pattern: /\bstartOutside\b|\bRunningOutside\b|\/outside\//, instead: 'dependencies, third parties' },
  {
    pattern: /\bhouse\b(?!-style)/,
    instead: 'platform, repo-rules',
    except: /^services\/payments\/|^services\/decisions\//,
  },
  { pattern: /\bopenHome\b|\bhome\.(file|folder)\b|type Home\b/, instead: 'data directory' },
  { pattern: /\bbeginnings\b|tellBeginnings/i, instead: 'entry pages, preload hints' },
  { pattern: /\bweb\/src\/frame\b|\/frame\.tsx?\b|<Frame\b/, instead: 'layout' },
  { pattern: /--paper\b|\bpaper\.css\b/, instead: '--text, print.css' },
  { pattern: /\bAuthStage\b|\buseStage\b|auth-stage/, instead: 'AuthLayout, useBrowser' },
  { pattern: /\bmoment\(\)|\bMoment\b|\/moment\.tsx?\b/, instead: 'nowIso(), IsoDate, <Time>' },
]

const checked = files.filter(
  (file) =>
    /\.(tsx?|sql|ya?ml|tpl|css|sol|md|json|html)$/.test(file) &&
    !/pnpm-lock|^CHANGELOG\.md$|^services\/decisions\/012-|repo-rules\/(vocabulary\.test|person-words)\.ts$/.test(
      file,
    ) &&
    // Titles and people of the demo.
    !/^packages\/tools\/demo-data\/src\/(works|people)/.test(file),
)

test.each(misleading)('$pattern is not used: $instead', ({ pattern, except }) => {
  const found = checked
    .filter((file) => !except?.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
    )
  expect(found).toEqual([])
})
