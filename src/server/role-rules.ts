import type { Role } from '../contract/accounts.ts'

/**
 * The role that every request of the admin API and of the agent needs which is not a look, by its method and path, and
 * the looks that need more than `viewer`. What is not listed needs `owner`, and a test asks for its line.
 *
 * Parts of a path in braces stand for one part each.
 */
export const roleRules: Readonly<Record<string, Role>> = {
  'POST /v2/agent/{projectId}/job': 'editor',
  'POST /v2/agent/{projectId}/job/{id}/message': 'editor',
  'POST /v2/agent/{projectId}/job/{id}/cancel': 'editor',
  'POST /v2/agent/{projectId}/job/{id}/archive': 'editor',
  'POST /admin/v1/sites/{id}/sync': 'editor',
  'POST /admin/v1/sites/{id}/playground': 'editor',
  'POST /admin/v1/sites/{id}/explain-search': 'editor',
  'PATCH /admin/v1/insights/gaps/{id}': 'editor',
  'POST /admin/v1/insights/gaps/{id}/job': 'editor',
  'POST /admin/v1/insights/gaps/{id}/reask': 'editor',
  // Editors write the instructions of a site; the handler refuses them everything else.
  'PATCH /admin/v1/sites/{id}': 'editor',
  'POST /admin/v1/pull-requests': 'editor',
  'POST /admin/v1/pull-requests/{id}/merge': 'editor',
  'POST /admin/v1/pull-requests/{id}/close': 'editor',
  'POST /admin/v1/pull-requests/{id}/comments': 'editor',
  'POST /admin/v1/automations/{id}/run': 'editor',
  'POST /admin/v1/automations': 'owner',
  'PATCH /admin/v1/automations/{id}': 'owner',
  'DELETE /admin/v1/automations/{id}': 'owner',
  'POST /admin/v1/sites/{id}/context-repositories': 'owner',
  'PATCH /admin/v1/sites/{id}/context-repositories/{name}': 'owner',
  'DELETE /admin/v1/sites/{id}/context-repositories/{name}': 'owner',
  'POST /admin/v1/sites': 'owner',
  'DELETE /admin/v1/sites/{id}': 'owner',
  'POST /admin/v1/sites/{id}/identity-secret': 'owner',
  'DELETE /admin/v1/sites/{id}/threads/{threadId}': 'owner',
  'PUT /admin/v1/settings/{name}': 'owner',
  'POST /admin/v1/settings/model/check': 'owner',
  'POST /admin/v1/sites/check-source': 'owner',
  'POST /admin/v1/sites/{id}/webhook': 'owner',
  'POST /admin/v1/sites/{id}/webhook/add': 'owner',
  'GET /admin/v1/webhook-endpoints': 'owner',
  'POST /admin/v1/webhook-endpoints': 'owner',
  'GET /admin/v1/webhook-endpoints/{id}': 'owner',
  'PATCH /admin/v1/webhook-endpoints/{id}': 'owner',
  'DELETE /admin/v1/webhook-endpoints/{id}': 'owner',
  'POST /admin/v1/webhook-endpoints/{id}/test': 'owner',
  'GET /admin/v1/webhook-endpoints/{id}/deliveries': 'owner',
  'POST /admin/v1/webhook-endpoints/deliveries/{id}/retry': 'owner',
  'GET /admin/v1/sites/{id}/webhook-deliveries': 'owner',
  'GET /admin/v1/code-host-apps': 'owner',
  'POST /admin/v1/code-host-apps': 'owner',
  'DELETE /admin/v1/code-host-apps/{id}': 'owner',
  'POST /admin/v1/keys': 'owner',
  'PATCH /admin/v1/keys/{id}': 'owner',
  'POST /admin/v1/keys/{id}/revoke': 'owner',
  'POST /admin/v1/repositories': 'owner',
  'DELETE /admin/v1/repositories/{id}': 'owner',
  'POST /admin/v1/owner-links': 'owner',
  'PATCH /admin/v1/members/{id}': 'owner',
  'DELETE /admin/v1/members/{id}': 'owner',
  'POST /admin/v1/members/{id}/sign-in-link': 'owner',
  'GET /admin/v1/invitations': 'owner',
  'POST /admin/v1/invitations': 'owner',
  'POST /admin/v1/invitations/{id}/revoke': 'owner',
  'GET /admin/v1/audit-log': 'owner',
}

interface Rule {
  method: string
  parts: string[]
  role: Role
}

const parsedRules: readonly Rule[] = Object.entries(roleRules).map(([key, role]) => {
  const [method = '', path = ''] = key.split(' ')
  return { method, parts: path.split('/'), role }
})

/** The role that a request needs. Where two rules match a path, the one that is listed first holds. */
export function roleNeeded(method: string, path: string): Role {
  const isLook = method === 'GET' || method === 'HEAD'
  const asked = isLook ? 'GET' : method
  const parts = path.split('/')
  const rule = parsedRules.find((each) => each.method === asked && isMatch(each.parts, parts))
  return rule?.role ?? (isLook ? 'viewer' : 'owner')
}

function isMatch(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => (part.startsWith('{') ? parts[index] !== '' : part === parts[index]))
  )
}
