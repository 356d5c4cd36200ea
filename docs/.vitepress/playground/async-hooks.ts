/** In a browser: the engine counts its work by job, and a worker of the playground has one job alone. */
export class AsyncLocalStorage<Value> {
  getStore(): Value | undefined {
    return undefined
  }

  run<Result>(_: Value, job: () => Result): Result {
    return job()
  }
}
