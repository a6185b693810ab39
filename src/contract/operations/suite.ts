import { suiteChangedSchema, suiteChangeSchema, suiteSchema } from '../suite.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const tag = { name: 'Tests', description: 'Questions that the documentation of a site must answer.' }

export const suiteOperations = defineOperations(tag, {
  getSuite: {
    method: 'get',
    path: '/admin/v1/sites/{id}/suite',
    summary: 'Get the tests of a site',
    description: 'The tests of `docent.tests.yaml`, their newest results and the trend.',
    access: 'viewer',
    params: siteParams,
    replies: { 200: { description: 'Tests, results and runs.', json: suiteSchema } },
  },
  changeSuite: {
    method: 'post',
    path: '/admin/v1/sites/{id}/suite/changes',
    summary: 'Change the tests of a site',
    description:
      'Adds, replaces or removes one test in `docent.tests.yaml`, in a pull request to the repository of the site. While that is open, further changes are added to it.',
    access: 'editor',
    audit: 'suite-changed',
    params: siteParams,
    body: suiteChangeSchema,
    replies: { 200: { description: 'The pull request.', json: suiteChangedSchema } },
    errors: [409, 422],
  },
})
