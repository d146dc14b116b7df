"""A check of schemathesis: a request that the document describes as valid has no 400, except for what the document cannot describe."""

import schemathesis


@schemathesis.check
def described_as_refused(context, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    refusals = case.operation.definition.raw.get("x-refusals", [])
    others = [error for error in response.json().get("errors", [{}]) if error.get("code") not in refusals]
    assert not others, f"The document describes this request as valid: {others}"
