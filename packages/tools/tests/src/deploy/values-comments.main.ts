/**
 * `pnpm docs:values`: writes the descriptions of `values.schema.json` above the values of the chart, and the example of
 * a shop's settings from the schemas that read them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsFile, settingsText } from './settings-file.ts'
import { valuesFile, withDescriptions } from './values-comments.ts'

writeFileSync(valuesFile, withDescriptions(readFileSync(valuesFile, 'utf8')))
writeFileSync(settingsFile, settingsText())
