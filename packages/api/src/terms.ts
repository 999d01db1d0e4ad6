import { Type } from 'typebox'

/**
 * `TERMS_VERSION`: the version of the terms that pages show and that buyers accept; by default that of the text in
 * `web`.
 */
export const TermsVersion = Type.String({ default: '2025-02-13', minLength: 1, maxLength: 40 })
