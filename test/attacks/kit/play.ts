/** Runs attacks one after another on forges of one kind: all share one forge, unless they are alone or spoilt it. */
import { type Attack, type ForgeKind, Skip } from './attack.ts'
import { type Forge, startForge } from './forge.ts'

export interface Outcome {
  readonly attack: Attack
  /** What was seen; undefined when the forge withstood the attack. */
  readonly seen: string | undefined
  /** Why it could not run on this machine; it counts neither as passed nor failed. */
  readonly skipped?: string
  /** Including the start of a forge, if one was started. */
  readonly seconds: number
}

export class Player {
  readonly #kind: ForgeKind
  readonly #port: number | undefined
  #forge: Forge | undefined

  constructor(kind: ForgeKind, port?: number) {
    this.#kind = kind
    this.#port = port
  }

  /** Attacks with `isAlone` come last, so that the others share one forge. */
  async playAll(attacks: readonly Attack[], tell: (outcome: Outcome) => void): Promise<void> {
    const mine = attacks.filter(({ on }) => on === this.#kind)
    const inOrder = [...mine.filter((it) => !it.isAlone), ...mine.filter((it) => it.isAlone)]
    for (const attack of inOrder) {
      if (attack.isAlone) await this.stop()
      const outcome = await this.#play(attack)
      tell(outcome)
      // What a successful attack left behind would be blamed on the next one.
      if (attack.isAlone || outcome.seen !== undefined || outcome.skipped !== undefined) await this.stop()
    }
    await this.stop()
  }

  async stop(): Promise<void> {
    const forge = this.#forge
    this.#forge = undefined
    await forge?.stop()
  }

  async #play(attack: Attack): Promise<Outcome> {
    const began = performance.now()
    const outcome = (seen: string | undefined) => ({
      attack,
      seen,
      seconds: Math.round((performance.now() - began) / 1000),
    })
    try {
      this.#forge ??= await startForge({
        kind: this.#kind,
        ...(this.#port !== undefined && { port: this.#port }),
        ...(attack.prepare && { prepare: attack.prepare }),
      })
      const forge = this.#forge
      const seen = await bounded(attack, forge)
      await forge.endOthers()
      return outcome(seen ?? (await forge.findDeath()))
    } catch (error) {
      const { message } = error as Error
      if (error instanceof Skip) return { ...outcome(undefined), skipped: message }
      // An attack that could not be carried out proves nothing, so it does not pass.
      return outcome((await this.#forge?.findDeath()) ?? `could not be tried: ${message}`)
    }
  }
}

function bounded(attack: Attack, forge: Forge): Promise<string | undefined> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new Error(`not finished in ${attack.seconds} s`))
  const timer = setTimeout(late, attack.seconds * 1000)
  return Promise.race([attack.run(forge), promise]).finally(() => clearTimeout(timer))
}
