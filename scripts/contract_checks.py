"""A check of schemathesis: a request that the document describes as valid is refused only as the document of its call says."""

import schemathesis

# Statuses that do not say that a request is malformed: of the user, of what is stored, and of load. Other checks compare them with the document.
UNRELATED = {401, 403, 404, 409, 410, 429}


@schemathesis.check
def described_as_refused(context, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if not 400 <= response.status_code < 500 or response.status_code in UNRELATED:
        return
    problem = response.json()
    refusals = case.operation.definition.raw.get("x-refusals", [])
    codes = [error["code"] for error in problem.get("errors", [])] or [problem["code"]]
    others = [code for code in codes if code not in refusals]
    assert not others, f"The document describes this request as valid: {response.status_code} {others} {problem['detail']}"
