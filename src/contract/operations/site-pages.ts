import { z } from 'zod'
import { defineOperations } from './operation.ts'
import { domainParams } from './params.ts'

const tag = { name: 'Site pages', description: 'Public pages of sites, served by Docent.' }

export const sitePageOperations = defineOperations(tag, {
  getLlmsTxt: {
    method: 'get',
    path: '/sites/{domain}/llms.txt',
    summary: 'Get llms.txt',
    description: 'A list of the public pages of a site, for language models.',
    access: 'public',
    params: domainParams,
    replies: {
      200: { description: 'The list.', text: ['text/markdown'] },
      304: { description: 'The copy identified by `If-None-Match` is still current.' },
    },
  },
  getLlmsFullTxt: {
    method: 'get',
    path: '/sites/{domain}/llms-full.txt',
    summary: 'Get llms-full.txt',
    description: 'All public pages of a site in one Markdown document, for language models.',
    access: 'public',
    params: domainParams,
    replies: {
      200: { description: 'The pages.', text: ['text/markdown'] },
      304: { description: 'The copy identified by `If-None-Match` is still current.' },
    },
  },
  showSearchPage: {
    method: 'get',
    path: '/sites/{domain}/search',
    summary: 'Show the search page of a site',
    description: 'For people; programs use `POST /discovery/v1/search/{domain}`. Rate-limited by client address.',
    access: 'public',
    params: domainParams,
    query: z.object({ q: z.string().optional().meta({ description: 'Search terms.' }) }),
    replies: { 200: { description: 'The search results.', text: ['text/html'] } },
    errors: [429],
    neverErrors: [400],
  },
  showPage: {
    method: 'get',
    path: '/sites/{domain}/{path}',
    summary: 'Show a public page of a site',
    description: 'Returns HTML, or Markdown if the path ends in `.md` or the header `Accept` asks for `text/markdown`.',
    access: 'public',
    params: domainParams.extend({ path: z.string().meta({ description: 'Path of the page.' }) }),
    replies: {
      200: { description: 'The page.', text: ['text/html', 'text/markdown'] },
      308: {
        description:
          "Redirect to the page's address, for example without a trailing slash, through the documentation's redirects, or because only one page can be meant.",
      },
      304: { description: 'The copy identified by `If-None-Match` is still current.' },
    },
  },
})
