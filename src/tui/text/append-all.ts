/** Puts items behind others. Arguments of a call lie on the stack, so a spread of very many of them would overflow it. */
export const appendAll = <A>(onto: Array<A>, items: Iterable<A>): void => {
  for (const item of items) onto.push(item)
}
