/** `pnpm docs:values`: writes the descriptions of `values.schema.json` above the values of the chart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { valuesFile, withDescriptions } from './values-comments.ts'

writeFileSync(valuesFile, withDescriptions(readFileSync(valuesFile, 'utf8')))
