import hooks, { type HookCallbacks } from 'node:async_hooks'

/**
 * Loaded before `node:test`, which follows every promise of a process with async hooks, to know in which test something
 * happens: that takes a sixth of the processor time of all tests. Here each test hands its id down in its context.
 */
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks
/** The id of the test that is running. */
const current = new AsyncLocalStorage<number>()
let addTest: NonNullable<HookCallbacks['init']> = () => {}

/** What a test of `node:test` extends. */
class TestResource extends AsyncResource {
  constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
    super(type, options)
    addTest(this.asyncId(), type, 0, this)
  }

  override runInAsyncScope<This, Result, Args extends unknown[]>(
    work: (this: This, ...args: Args) => Result,
    self?: This,
    ...args: Args
  ): Result {
    return super.runInAsyncScope(() =>
      current.run(this.asyncId(), () => Reflect.apply(work, self as This, args)),
    )
  }
}

Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => current.getStore() ?? 0,
  createHook({ init }: HookCallbacks) {
    if (init) addTest = init
    return { enable() {} }
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
