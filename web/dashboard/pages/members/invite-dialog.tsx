import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { createInvitation, type InvitationCreated } from '../../api/members.ts'
import { roleChoices } from './member-table.tsx'
import classes from './members-page.module.css'

/** Makes a link that is sent by whatever way people talk to each other. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<InvitationCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? 'Invite someone' : 'The invitation'}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <InviteForm onCreated={setCreated} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">Send them this link. It is shown this once, and works once.</Notice>
          <div className={classes.link}>
            <code>{created.url}</code>
            <CopyButton text={created.url} what="link" hasText look="primary" />
          </div>
          <DialogActions>
            <Button onClick={close}>Done</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated(invitation: InvitationCreated): void; onCancel(): void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const client = useQueryClient()
  const invite = useMutation({
    mutationFn: createInvitation,
    onSuccess: (invitation) => {
      onCreated(invitation)
      return client.invalidateQueries({ queryKey: ['invitations'] })
    },
  })
  const hasFieldErrors = invite.error instanceof ApiError && invite.error.details.length > 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending) invite.mutate({ role, email: email.trim() === '' ? null : email })
      }}
    >
      {invite.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(invite.error)}</Notice> : null}
      <RadioField<Role> legend="Role" choices={roleChoices} value={role} onValueChange={setRole} />
      <TextField
        label="E-mail"
        type="email"
        isOptional
        description="Whom it is for. Without it, whoever has the link."
        value={email}
        onValueChange={setEmail}
        error={describeFieldError(invite.error, 'The e-mail address', 'email')}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={invite.isPending}>
          Make the link
        </Button>
      </DialogActions>
    </form>
  )
}
