import { z } from 'zod'
import { defineOperations } from './operation.ts'
import { domainParams } from './params.ts'

export const sitePageOperations = defineOperations(
  { name: 'Site pages', description: 'Public pages as Docent serves them.' },
  {
    getLlmsTxt: {
      method: 'get',
      path: '/sites/{domain}/llms.txt',
      summary: 'The public pages of a site, as a list for language models',
      access: 'public',
      params: domainParams,
      replies: {
        200: { description: 'The list.', text: ['text/markdown'] },
        304: { description: 'The copy named by `If-None-Match` is still current.' },
      },
    },
    getLlmsFullTxt: {
      method: 'get',
      path: '/sites/{domain}/llms-full.txt',
      summary: 'The public pages of a site, in full',
      access: 'public',
      params: domainParams,
      replies: {
        200: { description: 'Every page.', text: ['text/markdown'] },
        304: { description: 'The copy named by `If-None-Match` is still current.' },
      },
    },
    showSearchPage: {
      method: 'get',
      path: '/sites/{domain}/search',
      summary: 'Search the public pages of a site, as a page',
      description:
        'For people; programs take `/discovery/v1/search/{domain}`. Counts against the address it comes from.',
      access: 'public',
      params: domainParams,
      query: z.object({ q: z.string().optional().meta({ description: 'What to look for.' }) }),
      replies: { 200: { description: 'The results.', text: ['text/html'] } },
      errors: [429],
      neverErrors: [400],
    },
    showPage: {
      method: 'get',
      path: '/sites/{domain}/{path}',
      summary: 'A public page of a site',
      description: 'HTML; Markdown when the path ends in `.md` or the header `Accept` asks for `text/markdown`.',
      access: 'public',
      params: domainParams.extend({ path: z.string() }),
      replies: {
        200: { description: 'The page.', text: ['text/html', 'text/markdown'] },
        301: { description: 'The page has another address, such as the same without a slash at the end.' },
        304: { description: 'The copy named by `If-None-Match` is still current.' },
      },
    },
  },
)
