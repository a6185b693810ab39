import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Leads to the page that sends the description of the App to GitHub. */
export function NewAppDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [origin, setOrigin] = useState('https://github.com')
  const [owner, setOwner] = useState('')
  const [name, setName] = useState('Docent')
  const [isVerified, setVerified] = useState(false)
  const leave = () => {
    const query = new URLSearchParams({ origin, name })
    if (owner.trim() !== '') query.set('owner', owner.trim())
    if (isVerified) query.set('verified', 'true')
    location.assign(`/code-host-apps/github/new?${query}`)
  }
  return (
    <Dialog
      title="Make a GitHub App"
      description="GitHub shows what the App may do, asks for its name, and sends you back here."
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <Form onSubmit={leave}>
        <TextField
          label="GitHub"
          type="url"
          required
          description="The address of an Enterprise Server, where it is one."
          value={origin}
          onValueChange={setOrigin}
        />
        <TextField
          label="Organization on GitHub"
          isOptional
          maxLength={100}
          description="Whose App it is to be. Without it, the account that is signed in there."
          value={owner}
          onValueChange={setOwner}
        />
        <TextField
          label="Name"
          required
          maxLength={34}
          description="Names the App on all of GitHub; it can be changed there."
          value={name}
          onValueChange={setName}
        />
        <YesNoField
          legend="Commits"
          label="GitHub makes the commits of the agent, and signs them"
          value={isVerified}
          onValueChange={setVerified}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Go on
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
