import { useQuery } from '@tanstack/react-query'
import { providerNames } from '../../../../src/contract/model-providers.ts'
import type { StoredSettingName, StoredSettingResource } from '../../../../src/contract/model-settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeError } from '../../api/api-error.ts'
import { useMay } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { updateSetting } from './update-setting.ts'
import { LocalModels } from './local-models.tsx'
import { listChanges, type ModelForm, toModelForm } from './model-form.ts'
import classes from './settings-page.module.css'
import { settingOperations } from '../../../../src/contract/operations/settings.ts'
import { call, queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export function ModelSettings() {
  const settings = useQuery(queryOf(settingOperations.listSettings))
  const isOwner = useMay('owner')
  return (
    <Section
      title={say('Model')}
      description={say(
        'The model that answers questions and runs agent jobs. Without one, the built-in model quotes pages and follows literal instructions.',
      )}
    >
      <Loaded query={settings}>
        {({ items: settings }) =>
          isOwner ? (
            <div className={classes.form}>
              <LocalModels settings={settings} />
              <ModelFields key={JSON.stringify(settings)} settings={settings} />
              <ModelCheckButton />
            </div>
          ) : (
            <Facts
              facts={settings.map(({ name, value, isSet }) => [labels[name], value ?? (isSet ? say('Set') : '–')])}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const labels: Readonly<Record<StoredSettingName, string>> = {
  model: say('Provider and model'),
  modelApiKey: say('API key'),
  modelBaseUrl: say('API base URL'),
}

function ModelFields({ settings }: { settings: readonly StoredSettingResource[] }) {
  const form = useForm({
    initial: () => toModelForm(settings),
    send: async (values) => {
      for (const { name, value } of listChanges(settings, values)) await updateSetting(name, value)
    },
    done: say('Settings saved. They apply to the next answer.'),
    undo: (_, values) => undoSettings(settings, values),
    stale: ['listSettings'],
  })
  const field = (name: StoredSettingName, description: string) => {
    const isGiven = settings.find((setting) => setting.name === name)?.source === 'environment'
    return {
      label: labels[name],
      description: isGiven
        ? say('Set by an environment variable of the service, which takes precedence. Change it there.')
        : description,
      disabled: isGiven,
      autoComplete: 'off',
      maxLength: 4_000,
      ...form.field(name),
    }
  }
  const hasKey = settings.some(({ name, isSet }) => name === 'modelApiKey' && isSet)
  return (
    <FormView
      form={form}
      action={say('Save')}
      isDisabled={listChanges(settings, form.values).length === 0}
      actions={<RemoveKeyButton settings={settings} />}
    >
      <TextField
        {...field(
          'model',
          say('For example anthropic/claude-sonnet-4-5. Providers: {providerNames}. Empty: the built-in model.', {
            providerNames: providerNames.join(', '),
          }),
        )}
        placeholder={settings.find(({ name }) => name === 'model')?.value ?? ''}
      />
      <TextField
        {...field(
          'modelBaseUrl',
          say(
            'Only for compatible providers. Must be public, or the address of Ollama or LM Studio on this machine; set other private addresses in the environment.',
          ),
        )}
        isOptional
        type="url"
      />
      <TextField
        {...field(
          'modelApiKey',
          hasKey
            ? say('A key is set. Enter another one to replace it.')
            : say('Stored encrypted, and never shown again.'),
        )}
        isOptional
        type="password"
      />
    </FormView>
  )
}

/** Null if the API key was changed: the one before is sealed, and cannot be set again. */
function undoSettings(settings: readonly StoredSettingResource[], values: ModelForm) {
  const changed = listChanges(settings, values)
  if (changed.some(({ name }) => name === 'modelApiKey')) return null
  return async () => {
    for (const { name } of changed) {
      const before = settings.find((setting) => setting.name === name)
      await updateSetting(name, before?.source === 'stored' ? before.value : null)
    }
  }
}

/** Only for a key stored here; a key from the environment must be changed there. */
function RemoveKeyButton({ settings }: { settings: readonly StoredSettingResource[] }) {
  const remove = useChange({
    send: () => updateSetting('modelApiKey', null),
    stale: ['listSettings'],
    hasFailureToast: true,
  })
  if (settings.find(({ name }) => name === 'modelApiKey')?.source !== 'stored') return null
  return (
    <Button look="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
      {say('Remove stored key')}
    </Button>
  )
}

/** The service gives the model a minute to reply, and four for everything. */
const checkTimeLimitsMs = { quick: 70_000, full: 250_000 }

function ModelCheckButton() {
  const check = useChange({
    send: (scope: keyof typeof checkTimeLimitsMs) =>
      call(settingOperations.checkModel, { query: { scope }, timeLimitMs: checkTimeLimitsMs[scope] }),
  })
  const button = (scope: keyof typeof checkTimeLimitsMs, label: string) => (
    <Button isBusy={check.isPending && check.variables === scope} onClick={() => check.mutate(scope)}>
      {label}
    </Button>
  )
  return (
    <>
      <FormActions>
        {button('quick', say('Test model'))}
        {button('full', say('Test everything'))}
      </FormActions>
      <div role="status">
        {check.data === undefined ? null : (
          <Notice tone={check.data.isUsable ? 'success' : 'warning'}>{check.data.message}</Notice>
        )}
        {check.data === undefined || check.data.checks.length === 0 ? null : (
          <Facts facts={check.data.checks.map(({ check: name, message }) => [name, message])} />
        )}
      </div>
      {check.isError ? <Notice tone="danger">{describeError(check.error)}</Notice> : null}
    </>
  )
}
