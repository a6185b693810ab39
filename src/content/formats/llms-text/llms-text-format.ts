import { isPageFile } from '../../trees/source-path.ts'
import type { SiteFormat } from '../site-format.ts'

export const fullFile = 'llms-full.txt'
export const indexFile = 'llms.txt'

export const llmsTextFormat: SiteFormat = {
  name: 'llms-txt',
  label: 'llms.txt',
  configFile: /^llms(?:-full)?\.txt$/,
  writes: { pages: /\.mdx?$/i, code: 'html' },
  hasGivenAddresses: true,
  // A folder of Markdown with a start page is read as Markdown instead.
  locate: (paths) => {
    const hasStart = ['README.md', 'index.md', 'index.mdx'].some((name) => paths.has(name))
    if (hasStart || !(paths.has(fullFile) || paths.has(indexFile))) return null
    return paths.has(indexFile) || !paths.values().some(isPageFile) ? '' : null
  },
  plan: async (reading) => (await import('./plan-llms-text-site.ts')).planLlmsTextSite(reading),
}
