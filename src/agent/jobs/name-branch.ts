import { maskSecrets } from '../../base/mask-secrets.ts'

const slugCharsMax = 40
const idChars = 8

/** `docent/<slug>-<id>`: words of the prompt for people, and the end of the job's id to make it unique. */
export function nameBranch(prompt: string, jobId: string): string {
  const words = maskSecrets(prompt)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharsMax)
    .replaceAll(/^-+|-+$/g, '')
  return `docent/${words === '' ? 'change' : words}-${jobId.slice(-idChars).toLowerCase()}`
}
