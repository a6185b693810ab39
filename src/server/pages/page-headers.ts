import { themeScriptSource } from './theme-script.ts'

/**
 * No site content can run: only our own scripts and styles are allowed, and no external images are loaded. The one
 * inline script is allowed by its digest.
 */
const pagePolicy = `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self' ${themeScriptSource}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

/** Headers of all our pages. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'X-Content-Type-Options': 'nosniff',
}

/** Opened by itself, a drawing runs nothing and loads nothing. */
export const imageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}
