import { z } from 'zod'
import { defineOperations } from './operation.ts'

const tag = { name: 'Objects', description: 'Finding keys, jobs, conversations, pull requests and members by name.' }

const objectKinds = ['key', 'job', 'conversation', 'pull-request', 'member'] as const

/** Most objects of one kind in a reply. */
export const objectsPerKindMax = 12

const foundObjectSchema = z
  .object({
    kind: z.enum(objectKinds),
    id: z.string(),
    title: z.string().meta({ description: 'Its name, or how its text begins: at most 200 characters.' }),
    detail: z.string().meta({ description: 'What else identifies it, such as a branch or an e-mail address.' }),
    siteId: z.string().nullable(),
    path: z.string().nullable().meta({ description: 'For pull requests: their address on this service.' }),
  })
  .meta({ id: 'FoundObject' })

export type FoundObject = z.infer<typeof foundObjectSchema>

export const objectOperations = defineOperations(tag, {
  findObjects: {
    method: 'get',
    path: '/admin/v1/objects',
    summary: 'Find objects by name',
    description: `At most ${objectsPerKindMax} of each kind: those with the most words of \`search\` first, then the newest. Without \`search\`, the newest.`,
    access: 'viewer',
    query: z.object({ search: z.string().max(200).optional().meta({ description: 'Words, in any order.' }) }),
    replies: {
      200: {
        description: 'Objects by kind.',
        json: z.object({ items: z.array(foundObjectSchema) }).meta({ id: 'FoundObjects' }),
      },
    },
  },
})
