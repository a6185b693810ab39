import type { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { settingOperations } from '../../contract/operations/settings.ts'
import { findLocalModels } from '../../models/find-local-models.ts'
import type { brandUpdateSchema } from '../../contract/brand.ts'
import type { AuditChange } from '../../store/accounts/audit-log.ts'
import { type Brand, changeBrand, getBrand } from '../../store/accounts/brands.ts'
import { describeBrand } from '../pages/brand.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import { checkCurrentModel, checkEverything, estimateCheck } from './check-model.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createSettingHandlers(deps: ServerDeps): Handlers<typeof settingOperations> {
  const { modelSettings, forgetModels, store, ids } = deps

  return {
    listSettings: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      return { items: await modelSettings.list(), nextCursor: null }
    },

    listLocalModels: async ({ c }) => {
      requireInstallation(c.get('organizationId'))
      return { items: await findLocalModels(modelSettings.localServers), nextCursor: null }
    },

    getBrand: async ({ c }) =>
      describeBrand(await getBrand(store.durable, { organizationId: c.get('organizationId') })),

    updateBrand: async ({ c, body }) => {
      const organizationId = c.get('organizationId')
      const before = await getBrand(store.durable, { organizationId })
      await changeBrand(store.durable, organizationId, { ...body, version: ids.ulid() })
      const after = await getBrand(store.durable, { organizationId })
      return { reply: describeBrand(after), audit: { changes: listBrandChanges(before, body) } }
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

function listBrandChanges(before: Brand | null, { color, logo }: z.output<typeof brandUpdateSchema>): AuditChange[] {
  const describeLogo = (hasLogo: boolean) => (hasLogo ? 'image' : '')
  const changes = [
    color === undefined ? null : { field: 'color', from: before?.color ?? '', to: color ?? '' },
    logo === undefined
      ? null
      : { field: 'logo', from: describeLogo(before?.hasLogo === true), to: describeLogo(logo !== null) },
  ]
  return changes.filter((change) => change !== null)
}

function missing(name: string): never {
  throw new Error(`The setting ${name} is not listed.`)
}
