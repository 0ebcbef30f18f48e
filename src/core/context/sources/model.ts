import { profileOf } from "../../model/catalog/model.ts"
import { oneLine } from "../../model/request/fence.ts"
import type { ContextSource } from "./source.ts"

const named = (model: string): string => {
  const { name } = profileOf(model)
  return name === model ? oneLine(model) : `${oneLine(name)} (model id ${oneLine(model)})`
}

export const model: ContextSource<"model"> = {
  derive: (facts) => [{ id: "model", value: { model: facts.model } }],
  isStanding: true,
  say: ([item], isUpdate) =>
    item === undefined
      ? undefined
      : {
          type: "model",
          fields: { ...item.value },
          words: isUpdate
            ? `From here on you are the model ${named(item.value.model)}.`
            : `You are the model ${named(item.value.model)}.`
        }
}
