/** Requests a passkey, or the creation of one, from the device and submits the surrounding form with the answer. */
const asked = document.querySelector<HTMLElement>('[data-passkey]')

async function answer({ dataset }: HTMLElement): Promise<Credential | null> {
  const options = JSON.parse(dataset.options ?? '{}')
  if (dataset.passkey === 'create')
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    })
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}

function send(form: HTMLFormElement | null, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = value
  }
  form?.submit()
}

async function ask(prompt: HTMLElement): Promise<void> {
  const failed = prompt.querySelector<HTMLElement>('[data-failed]')
  try {
    const credential = await answer(prompt)
    if (credential instanceof PublicKeyCredential)
      send(prompt.querySelector('form'), { response: JSON.stringify(credential.toJSON()) })
  } catch {
    if (failed !== null) failed.hidden = false
  }
}

/** Conditional mediation: waits until the user picks a passkey from the browser's autofill. */
async function offer(prompt: HTMLElement): Promise<void> {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return
  const made = await fetch(prompt.dataset.offer ?? '', { method: 'POST' })
  if (!made.ok) return
  const { step, options } = await made.json()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey })
  if (!(credential instanceof PublicKeyCredential)) return
  const keeps = document.querySelector<HTMLInputElement>('input[name="keep"][type="checkbox"]')?.checked
  send(prompt.querySelector('form'), {
    step,
    response: JSON.stringify(credential.toJSON()),
    keep: String(keeps),
  })
}

/** Waits for user input, so that merely loading the page leaves no sign-in step on the server. */
function whenSomebodyStirs(act: () => void): void {
  const stirred = new AbortController()
  for (const event of ['pointermove', 'pointerdown', 'keydown'])
    addEventListener(
      event,
      () => {
        if (stirred.signal.aborted) return
        stirred.abort()
        act()
      },
      { signal: stirred.signal },
    )
}

if (asked?.dataset.passkey === 'offer') whenSomebodyStirs(() => offer(asked).catch(() => undefined))
else
  asked?.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(asked).catch(() => undefined)
  })

export {}
