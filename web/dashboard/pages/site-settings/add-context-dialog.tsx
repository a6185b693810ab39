import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { forgeKinds } from '../../../../src/contract/code-hosts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form, FormColumns } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import {
  addContextRepository,
  contextRepositoriesQuery,
  type ContextRepositoryInput,
} from '../../api/context-repositories.ts'
import { nameSource } from '../site/source-names.ts'

export interface AddContextDialogProps {
  site: SiteResource
  isOpen: boolean
  onClose(): void
}

const kinds = [...forgeKinds, 'git', 'builtin'] as const
type Kind = (typeof kinds)[number]

const emptyForm = { name: '', kind: 'github' as Kind, location: '', ref: '', token: '' }

/** Adds a repository, which is asked for its branch before. */
export function AddContextDialog({ site, isOpen, onClose }: AddContextDialogProps) {
  return (
    <Dialog title="Add a context repository" isOpen={isOpen} onClose={onClose} closesOutside={false}>
      <AddForm site={site} onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ site, onClose }: Omit<AddContextDialogProps, 'isOpen'>) {
  const [form, setForm] = useState(emptyForm)
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => addContextRepository(site.id, readInput(form)),
    onSuccess: () => {
      onClose()
      return client.invalidateQueries({ queryKey: contextRepositoriesQuery(site.id).queryKey })
    },
  })
  const { error } = add
  const isOfField = error instanceof ApiError && error.details.length > 0
  const text = (name: 'name' | 'location' | 'ref' | 'token') => ({
    autoComplete: 'off',
    spellCheck: false,
    value: form[name],
    onValueChange: (value: string) => setForm({ ...form, [name]: value }),
  })
  return (
    <Form isBusy={add.isPending} onSubmit={() => add.mutate()}>
      {error !== null && !isOfField ? <Notice tone="danger">{describeError(error)}</Notice> : null}
      <FormColumns>
        <TextField
          label="Name"
          required
          description="The agent reads its files as @name/path."
          {...text('name')}
          error={describeFieldError(error, 'The name', 'name')}
        />
        <SelectField
          label="Kind"
          value={form.kind}
          options={kinds.map((kind) => ({ value: kind, label: nameSource(kind) }))}
          onValueChange={(value) => setForm({ ...form, kind: kinds.find((kind) => kind === value) ?? 'git' })}
        />
      </FormColumns>
      <TextField
        label="Location"
        required
        placeholder={form.kind === 'builtin' ? 'default/docs' : 'https://github.com/acme/app'}
        {...text('location')}
        error={describeFieldError(error, 'The location', 'source')}
      />
      <FormColumns>
        <TextField label="Branch" isOptional description="The main branch without it." {...text('ref')} />
        {form.kind === 'builtin' ? null : (
          <TextField
            label="Access token"
            isOptional
            type="password"
            description="Stored encrypted."
            {...text('token')}
            error={describeFieldError(error, 'The token', 'credential')}
          />
        )}
      </FormColumns>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={add.isPending}>
          Add
        </Button>
      </DialogActions>
    </Form>
  )
}

function readInput({ name, kind, location, ref, token }: typeof emptyForm): ContextRepositoryInput {
  const hasToken = kind !== 'builtin' && token.trim() !== ''
  return {
    name: name.trim(),
    source: { kind, location: location.trim(), ref: ref.trim() === '' ? null : ref.trim() },
    ...(hasToken && { credential: { token: token.trim() } }),
  }
}
