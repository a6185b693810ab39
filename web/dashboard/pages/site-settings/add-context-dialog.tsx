import type { SiteResource } from '../../../../src/contract/admin.ts'
import { forgeKinds } from '../../../../src/contract/code-hosts.ts'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { nameSource } from '../site/source-names.ts'
import { contextRepositoryOperations } from '../../../../src/contract/operations/context-repositories.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface AddContextDialogProps {
  site: SiteResource
  isOpen: boolean
  onClose(): void
}

const kinds = [...forgeKinds, 'git', 'builtin'] as const
type Kind = (typeof kinds)[number]

const emptyForm = { name: '', kind: 'github' as Kind, location: '', ref: '', token: '', isProduct: false }

/** Adds a repository. The service checks it first. */
export function AddContextDialog({ site, isOpen, onClose }: AddContextDialogProps) {
  return (
    <Dialog title={say('Add a context repository')} isOpen={isOpen} onClose={onClose} closesOutside={false}>
      <AddForm site={site} onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ site, onClose }: Omit<AddContextDialogProps, 'isOpen'>) {
  const form = useForm({
    initial: emptyForm,
    send: (values) =>
      call(contextRepositoryOperations.addContextRepository, { params: { id: site.id }, body: readInput(values) }),
    stale: ['listContextRepositories'],
    onDone: onClose,
  })
  const { kind } = form.values
  const typed = { autoComplete: 'off', spellCheck: false }
  return (
    <FormView form={form} action={say('Add')} onCancel={onClose}>
      <FormColumns>
        <TextField
          label={say('Name')}
          required
          description={say('The agent reads its files as @name/path.')}
          {...typed}
          {...form.field('name', say('The name'))}
        />
        <SelectField
          label={say('Kind')}
          options={kinds.map((kind) => ({ value: kind, label: nameSource(kind) }))}
          {...form.field('kind')}
        />
      </FormColumns>
      <TextField
        label={say('Location')}
        required
        placeholder={kind === 'builtin' ? 'default/docs' : 'https://github.com/acme/app'}
        {...typed}
        {...form.field('location', say('The location'), 'source')}
      />
      <MoreFields>
        <FormColumns>
          <TextField
            label={say('Branch')}
            isOptional
            description={say('Defaults to the main branch.')}
            {...typed}
            {...form.field('ref')}
          />
          {kind === 'builtin' ? null : (
            <TextField
              label={say('Access token')}
              isOptional
              type="password"
              description={say('Stored encrypted.')}
              {...typed}
              {...form.field('token', say('The token'), 'credential')}
            />
          )}
        </FormColumns>
        <YesNoField
          legend={say('Role')}
          label={say('The site documents this product')}
          description={say('Docent lists what its changes make outdated in the documentation.')}
          {...form.field('isProduct')}
        />
      </MoreFields>
    </FormView>
  )
}

function readInput({ name, kind, location, ref, token, isProduct }: typeof emptyForm) {
  const hasToken = kind !== 'builtin' && token.trim() !== ''
  return {
    name: name.trim(),
    role: isProduct ? ('product' as const) : ('reference' as const),
    source: { kind, location: location.trim(), ref: ref.trim() === '' ? null : ref.trim() },
    ...(hasToken && { credential: { token: token.trim() } }),
  }
}
