import { z } from 'zod'
import { agentSettings } from './settings/agent-settings.ts'
import { chatSettings } from './settings/chat-settings.ts'
import { limitSettings } from './settings/limit-settings.ts'
import { mailSettings } from './settings/mail-settings.ts'
import { modelSettings } from './settings/model-settings.ts'
import { observabilitySettings } from './settings/observability-settings.ts'
import { peopleSettings } from './settings/people-settings.ts'
import { serviceSettings } from './settings/service-settings.ts'
import { sourceSettings } from './settings/source-settings.ts'
import { storageSettings } from './settings/storage-settings.ts'
import type { SettingMeta } from './settings/setting-shapes.ts'

/** Every setting. The environment wins over `docent.config.json`, which wins over the defaults. */
export const settingsSchema = z.strictObject({
  ...serviceSettings,
  ...modelSettings,
  ...agentSettings,
  ...sourceSettings,
  ...limitSettings,
  ...storageSettings,
  ...peopleSettings,
  ...mailSettings,
  ...chatSettings,
  ...observabilitySettings,
})

export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings

export interface ListedSetting {
  name: SettingName
  meta: SettingMeta
  defaultValue: unknown
}

/** Settings by topic, in the order of the generated reference page. */
export function listSettingGroups(): { title: string; settings: ListedSetting[] }[] {
  return groups.map(({ title, shape }) => ({
    title,
    settings: Object.entries(shape).map(([name, schema]) => ({
      name: name as SettingName, // The groups are the schema.
      meta: schema.meta() as unknown as SettingMeta, // `setting` creates every entry.
      defaultValue: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
    })),
  }))
}

/** All settings with their metadata, in reference order. */
export function listSettings(): ListedSetting[] {
  return listSettingGroups().flatMap(({ settings }) => settings)
}

const groups: readonly { title: string; shape: Readonly<Record<string, z.ZodType>> }[] = [
  { title: 'The service', shape: serviceSettings },
  { title: 'Assistant models', shape: modelSettings },
  { title: 'The agent', shape: agentSettings },
  { title: 'Sources and search', shape: sourceSettings },
  { title: 'Limits', shape: limitSettings },
  { title: 'Shared storage', shape: storageSettings },
  { title: 'Accounts and personal data', shape: peopleSettings },
  { title: 'E-mail', shape: mailSettings },
  { title: 'Chat platforms', shape: chatSettings },
  { title: 'Metrics, traces and logs', shape: observabilitySettings },
]
