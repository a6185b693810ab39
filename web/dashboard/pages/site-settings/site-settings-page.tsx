import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { ApiError, describeError } from '../../api/api-error.ts'
import { useMay } from '../../api/session.ts'
import { changeSite, sitesQuery } from '../../api/sites.ts'
import { SiteScope } from '../../shell/site-scope.tsx'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { AssistantFields } from './assistant-fields.tsx'
import { ContextRepositories } from './context-repositories.tsx'
import { DeleteSite } from './delete-site.tsx'
import { GeneralFields } from './general-fields.tsx'
import { isChanged, readChange, type SettingsForm, toSettingsForm } from './settings-form.ts'
import { SourceFields } from './source-fields.tsx'

/** What the owner decides about a site. Editors change the instructions of its assistant. */
export function SiteSettingsPage() {
  return (
    <>
      <PageHeader title="Settings">
        What this site is called, where it comes from, and how it is answered from.
      </PageHeader>
      <SiteScope>{(site) => <SettingsView key={site.id} site={site} />}</SiteScope>
    </>
  )
}

function SettingsView({ site }: { site: SiteResource }) {
  const [base, setBase] = useState(() => toSettingsForm(site))
  const [form, setForm] = useState(base)
  const isOwner = useMay('owner')
  const mayEdit = useMay('editor')
  const save = useSave(site, { form, base }, (saved) => {
    setBase(saved)
    setForm(saved)
  })
  const isDirty = isChanged(form, base)
  const fields = {
    site,
    form,
    error: save.error,
    onChange: (part: Partial<SettingsForm>) => setForm((form) => ({ ...form, ...part })),
  }
  return (
    <>
      <Form isBusy={save.isPending} onSubmit={() => save.mutate()}>
        {isOwner ? <GeneralFields {...fields} /> : null}
        {isOwner ? <SourceFields {...fields} /> : null}
        <AssistantFields {...fields} isOwner={isOwner} mayEdit={mayEdit} />
        {save.isError ? <SaveError error={save.error} /> : null}
        {mayEdit ? (
          <FormActions>
            <Button type="submit" look="primary" isBusy={save.isPending} disabled={!isDirty}>
              Save
            </Button>
            <Button disabled={!isDirty} onClick={() => setForm(base)}>
              Discard changes
            </Button>
          </FormActions>
        ) : null}
      </Form>
      {isOwner ? <ContextRepositories site={site} /> : null}
      {isOwner ? <DeleteSite site={site} onDeleted={() => setForm(base)} /> : null}
      <UnsavedGuard isDirty={isDirty} />
    </>
  )
}

function SaveError({ error }: { error: unknown }) {
  const isOfField = error instanceof ApiError && error.details.length > 0
  return (
    <Notice tone="danger">
      {isOfField ? 'Nothing was saved: a field above says what is wrong with it. ' : null}
      {describeError(error)}
    </Notice>
  )
}

function useSave(
  site: SiteResource,
  { form, base }: { form: SettingsForm; base: SettingsForm },
  onSaved: (saved: SettingsForm) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => changeSite(site.id, readChange(form, base, site)),
    onSuccess: (changed) => {
      onSaved(toSettingsForm(changed))
      showToast({ title: 'The settings are saved.' })
      return client.invalidateQueries({ queryKey: sitesQuery.queryKey })
    },
  })
}
