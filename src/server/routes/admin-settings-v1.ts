import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { nameModel } from '../../contract/model-providers.ts'
import {
  modelCheckSchema,
  storedSettingChangeSchema,
  storedSettingListSchema,
  storedSettingNames,
  storedSettingSchema,
} from '../../contract/model-settings.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ChatModel } from '../../models/chat-model.ts'
import { checkModel, type ModelCheck } from '../../models/calls/check-model.ts'
import { unlimitedAccount } from '../../models/calls/model-account.ts'
import type { DocentServer } from '../create-server.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { localOrganizationId } from '../require-admin.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Settings']
const security = [{ adminKey: [] }]

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/settings',
  tags,
  security,
  summary: 'List the settings that can be stored',
  description: 'Keys are never shown.',
  responses: {
    200: { description: 'The settings.', content: { 'application/json': { schema: storedSettingListSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

const changeRoute = createRoute({
  method: 'put',
  path: '/admin/v1/settings/{name}',
  tags,
  security,
  summary: 'Store a setting',
  description:
    'Stored encrypted, and in effect within two seconds in every process. Store a key before the model that needs it.',
  request: {
    params: z.object({ name: z.enum(storedSettingNames) }),
    body: { required: true, content: { 'application/json': { schema: storedSettingChangeSchema } } },
  },
  responses: {
    200: { description: 'The setting.', content: { 'application/json': { schema: storedSettingSchema } } },
    ...errorResponses(400, 401, 403, 409, 413, 415, 503),
  },
})

const checkRoute = createRoute({
  method: 'post',
  path: '/admin/v1/settings/model/check',
  tags,
  security,
  summary: 'Try the model',
  description: 'Asks the model that answers now for a word, which costs a few tokens. Takes no body.',
  responses: {
    200: { description: 'What came of it.', content: { 'application/json': { schema: modelCheckSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

/** Longest wait for a word. */
const checkMsMax = 60_000

export function addAdminSettings(app: DocentServer, parts: ServerParts): void {
  const { modelSettings, forgetModels, answers, clock } = parts

  app.openapi(listRoute, async (c) => {
    requireInstallation(c.get('organizationId'))
    return reply(c, storedSettingListSchema, { items: await modelSettings.list(), nextCursor: null }, 200)
  })

  app.openapi(checkRoute, async (c) => {
    requireInstallation(c.get('organizationId'))
    const { answering } = await answers.models()
    const model = nameModel(answering)
    const check = await tryModel(answering.billTo(unlimitedAccount), () => clock.now())
    if (!check.isUsable) c.get('log').warn({ model, said: check.said }, 'model-check-failed')
    const message = check.isUsable ? `${model} answered in ${check.tookMs} ms.` : check.message
    return reply(c, modelCheckSchema, { isUsable: check.isUsable, model, message }, 200)
  })

  app.openapi(changeRoute, async (c) => {
    requireInstallation(c.get('organizationId'))
    const { name } = c.req.valid('param')
    await modelSettings.change(name, c.req.valid('json').value)
    forgetModels()
    await recordAudit(c, parts, { action: 'setting-changed', target: { kind: 'setting', id: name, name } })
    const items = await modelSettings.list()
    return reply(c, storedSettingSchema, items.find((item) => item.name === name) ?? missing(name), 200)
  })
}

async function tryModel(model: ChatModel, now: () => number): Promise<ModelCheck> {
  const signal = AbortSignal.timeout(checkMsMax)
  try {
    return await checkModel(model, now, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return {
      isUsable: false,
      message: `${nameModel(model)} said nothing for ${checkMsMax / 1_000} seconds. Check its server.`,
      said: 'nothing',
    }
  }
}

/** They hold for every organization, so that only the one that the installation began with may change them. */
function requireInstallation(organizationId: string): void {
  if (organizationId === localOrganizationId) return
  throw new AppError('scope_missing', 'Settings of the installation need a key of its first organization.')
}

function missing(name: string): never {
  throw new Error(`The setting ${name} is not listed.`)
}
