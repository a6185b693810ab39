// What the packages that are installed with the product may be.

/** Licences that allow use, change and passing on with no more than a notice. SPDX identifiers. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // For fonts, which come with their notice: a font must not be sold by itself.
  'OFL-1.1',
  'Unlicense',
]

export const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

/** The least severity that fails the check. */
export const failingSeverity: Severity = 'high'

/** What makes the dashboard's files and is not in them. */
export const buildTools: readonly string[] = ['vite', '@vitejs/plugin-react']
