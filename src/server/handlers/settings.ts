import { AppError } from '../../contract/app-error.ts'
import type { settingOperations } from '../../contract/operations/settings.ts'
import { findLocalModels } from '../../models/find-local-models.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import { checkCurrentModel, checkEverything, estimateCheck } from './check-model.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createSettingHandlers(deps: ServerDeps): Handlers<typeof settingOperations> {
  const { modelSettings, forgetModels } = deps

  return {
    listSettings: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      return { items: await modelSettings.list(), nextCursor: null }
    },

    listLocalModels: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      return { items: await findLocalModels(modelSettings.localServers), nextCursor: null }
    },

    checkModel: async ({ c, query: { scope = 'quick', model } }) => {
      requireInstallation(c.get('organizationId'))
      if (scope === 'estimate') return estimateCheck(deps, model)
      if (scope === 'full' || model !== undefined) return checkEverything(deps, model)
      const { reply, said } = await checkCurrentModel(deps)
      if (said !== null) c.get('log').warn({ model: reply.model, said }, 'model-check-failed')
      return reply
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

/** Installation settings apply to every organization, so only the installation's first one may change them. */
function requireInstallation(organizationId: string): void {
  if (organizationId === localOrganizationId) return
  throw new AppError('scope_missing', 'Settings of the installation need a key of its first organization.')
}

function missing(name: string): never {
  throw new Error(`The setting ${name} is not listed.`)
}
