import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { providerNames } from '../../../../src/contract/model-providers.ts'
import type { StoredSettingName, StoredSettingResource } from '../../../../src/contract/model-settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { describeError } from '../../api/api-error.ts'
import { useMay } from '../../api/session.ts'
import { checkModel, storedSettingsQuery, storeSetting } from '../../api/settings.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { listChanges, type ModelForm, toModelForm } from './model-form.ts'
import classes from './settings-page.module.css'

/** Which model answers and works, with whose key. */
export function ModelSettings() {
  const settings = useQuery(storedSettingsQuery)
  const isOwner = useMay('owner')
  return (
    <Section
      title="Model"
      description="Answers questions and does the jobs of the agent. Without one, the built-in model quotes the pages and follows literal instructions."
    >
      <Loaded query={settings}>
        {(settings) =>
          isOwner ? (
            <div className={classes.form}>
              <ModelFields key={JSON.stringify(settings)} settings={settings} />
              <ModelCheckButton />
            </div>
          ) : (
            <Facts
              facts={settings.map(({ name, value, isSet }) => [labels[name], value ?? (isSet ? 'is set' : '–')])}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const labels: Readonly<Record<StoredSettingName, string>> = {
  model: 'Provider and model',
  modelApiKey: 'API key',
  modelBaseUrl: 'Address of the API',
}

function ModelFields({ settings }: { settings: readonly StoredSettingResource[] }) {
  const [form, setForm] = useState<ModelForm>(toModelForm(settings))
  const client = useQueryClient()
  const changes = listChanges(settings, form)
  const save = useMutation({
    mutationFn: async () => {
      for (const { name, value } of changes) await storeSetting(name, value)
    },
    onSuccess: () => showToast({ title: 'The settings hold from the next answer on.' }),
    // Also what was stored before one was refused.
    onSettled: () => client.invalidateQueries({ queryKey: storedSettingsQuery.queryKey }),
  })
  const field = (name: StoredSettingName, description: string) => {
    const isGiven = settings.find((setting) => setting.name === name)?.source === 'environment'
    return {
      label: labels[name],
      description: isGiven ? 'Given by the environment of the service, which wins. Change it there.' : description,
      disabled: isGiven,
      value: form[name],
      autoComplete: 'off',
      maxLength: 4_000,
      onValueChange: (value: string) => setForm({ ...form, [name]: value }),
    }
  }
  const hasKey = settings.some(({ name, isSet }) => name === 'modelApiKey' && isSet)
  return (
    <Form isBusy={save.isPending} onSubmit={() => save.mutate()}>
      {save.isError ? <Notice tone="danger">{describeError(save.error)}</Notice> : null}
      <TextField
        {...field(
          'model',
          `Such as anthropic/claude-sonnet-4-5. Providers: ${providerNames.join(', ')}. Empty: the built-in model.`,
        )}
        placeholder={settings.find(({ name }) => name === 'model')?.value ?? ''}
      />
      <TextField
        {...field(
          'modelBaseUrl',
          'Only for compatible providers. Must be public; set a private address in the environment.',
        )}
        isOptional
        type="url"
      />
      <TextField
        {...field(
          'modelApiKey',
          hasKey ? 'One is set. Give another to replace it.' : 'Stored encrypted, and never shown again.',
        )}
        isOptional
        type="password"
      />
      <FormActions>
        <Button type="submit" look="primary" isBusy={save.isPending} disabled={changes.length === 0}>
          Save
        </Button>
        <RemoveKeyButton settings={settings} />
      </FormActions>
    </Form>
  )
}

/** Only for a key that is stored here; one of the environment is changed there. */
function RemoveKeyButton({ settings }: { settings: readonly StoredSettingResource[] }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => storeSetting('modelApiKey', null),
    onError: (error) => showToast({ title: describeError(error), tone: 'danger' }),
    onSettled: () => client.invalidateQueries({ queryKey: storedSettingsQuery.queryKey }),
  })
  if (settings.find(({ name }) => name === 'modelApiKey')?.source !== 'stored') return null
  return (
    <Button look="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
      Remove the stored key
    </Button>
  )
}

/** Asks the model that answers now for a word. */
function ModelCheckButton() {
  const check = useMutation({ mutationFn: checkModel })
  return (
    <>
      <FormActions>
        <Button isBusy={check.isPending} onClick={() => check.mutate()}>
          Try the model
        </Button>
      </FormActions>
      <div role="status">
        {check.data === undefined ? null : (
          <Notice tone={check.data.isUsable ? 'success' : 'warning'}>{check.data.message}</Notice>
        )}
      </div>
      {check.isError ? <Notice tone="danger">{describeError(check.error)}</Notice> : null}
    </>
  )
}
