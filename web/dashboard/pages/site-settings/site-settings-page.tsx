import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { SiteScope } from '../../shell/site-scope.tsx'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { AssistantFields } from './assistant-fields.tsx'
import { Bots } from './bots.tsx'
import { ContextRepositories } from './context-repositories.tsx'
import { DeleteSite } from './delete-site.tsx'
import { GeneralFields } from './general-fields.tsx'
import { readChange, toSettingsForm } from './settings-form.ts'
import { SourceFields } from './source-fields.tsx'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Owners change everything; editors only the assistant's instructions. */
export function SiteSettingsPage() {
  return (
    <>
      <PageHeader title={say('Settings')}>
        {say('The name of this site, its source, and how its questions are answered.')}
      </PageHeader>
      <SiteScope>{(site) => <SettingsView key={site.id} site={site} />}</SiteScope>
    </>
  )
}

function SettingsView({ site }: { site: SiteResource }) {
  const isOwner = useMay('owner')
  const mayEdit = useMay('editor')
  const form = useForm({
    initial: () => toSettingsForm(site),
    send: (values, base) =>
      call(siteOperations.updateSite, { params: { id: site.id }, body: readChange(values, base, site) }),
    next: toSettingsForm,
    done: say('Settings saved.'),
    // The credential before is sealed, and cannot be set again.
    undo: (saved, values, base) =>
      values.credential === 'keep'
        ? () => call(siteOperations.updateSite, { params: { id: site.id }, body: readChange(base, values, saved) })
        : null,
    stale: ['listSites'],
  })
  return (
    <>
      <FormView
        form={form}
        action={mayEdit ? say('Save') : null}
        isDisabled={!form.isDirty}
        actions={
          <Button disabled={!form.isDirty} onClick={() => form.reset()}>
            {say('Discard changes')}
          </Button>
        }
      >
        {isOwner ? <GeneralFields form={form} /> : null}
        {isOwner ? <SourceFields site={site} form={form} /> : null}
        <AssistantFields form={form} isOwner={isOwner} mayEdit={mayEdit} />
      </FormView>
      {isOwner ? <ContextRepositories site={site} /> : null}
      {isOwner ? <Bots site={site} /> : null}
      {isOwner ? <DeleteSite site={site} onDeleted={() => form.reset()} /> : null}
      <UnsavedGuard isDirty={form.isDirty} />
    </>
  )
}
