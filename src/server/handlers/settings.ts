import { nameModel } from '../../contract/model-providers.ts'
import { AppError } from '../../contract/app-error.ts'
import type { settingOperations } from '../../contract/operations/settings.ts'
import type { ChatModel } from '../../models/chat-model.ts'
import { checkModel, type ModelCheck } from '../../models/calls/check-model.ts'
import { unlimitedAccount } from '../../models/calls/model-account.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Timeout of a model check. */
const checkMsMax = 60_000

export function createSettingHandlers(deps: ServerDeps): Handlers<typeof settingOperations> {
  const { modelSettings, forgetModels, answers, clock } = deps

  return {
    listSettings: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      return { items: await modelSettings.list(), nextCursor: null }
    },

    checkModel: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      const { answering } = await answers.models()
      const model = nameModel(answering)
      const check = await tryModel(answering.billTo(unlimitedAccount), () => clock.now())
      if (!check.isUsable) c.get('log').warn({ model, said: check.said }, 'model-check-failed')
      const message = check.isUsable ? `${model} answered in ${check.tookMs} ms.` : check.message
      return { isUsable: check.isUsable, model, message }
    },

    updateSetting: async ({ c, params: { name }, body }) => {
      requireInstallation(c.get('organizationId'))
      await modelSettings.change(name, body.value)
      forgetModels()
      const items = await modelSettings.list()
      return {
        reply: items.find((item) => item.name === name) ?? missing(name),
        audit: { target: { kind: 'setting', id: name, name } },
      }
    },
  }
}

async function tryModel(model: ChatModel, now: () => number): Promise<ModelCheck> {
  const signal = AbortSignal.timeout(checkMsMax)
  try {
    return await checkModel(model, now, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return {
      isUsable: false,
      message: `${nameModel(model)} did not respond within ${checkMsMax / 1_000} seconds. Check its server.`,
      said: 'nothing',
    }
  }
}

/** Installation settings apply to every organization, so only the installation's first one may change them. */
function requireInstallation(organizationId: string): void {
  if (organizationId === localOrganizationId) return
  throw new AppError('scope_missing', 'Settings of the installation need a key of its first organization.')
}

function missing(name: string): never {
  throw new Error(`The setting ${name} is not listed.`)
}
