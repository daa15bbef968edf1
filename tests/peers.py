"""Our measures, and the keys under which pytrec_eval has them."""

LISTS = {"P": "P", "R": "recall", "AP": "map_cut", "nDCG": "ndcg_cut", "Success": "success"}
WHOLE = {
    "AP": "map",
    "GMAP": "gm_map",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "infAP": "infAP",
    "nDCG": "ndcg",
    "11ptAP": "11pt_avg",
}


def peers(depths):
    """Return our names to theirs, those with a cutoff at some depths."""
    cut = {f"{ours}@{k}": f"{theirs}_{k}" for ours, theirs in LISTS.items() for k in depths}
    recall = {f"IPrec@{x / 10}": f"iprec_at_recall_{x / 10:.2f}" for x in range(11)}
    return WHOLE | cut | recall


def supported(depths):
    """Return what an evaluator is asked for to give them all."""
    cut = {f"{theirs}.{','.join(map(str, depths))}" for theirs in LISTS.values()}
    return {*WHOLE.values(), *cut, "iprec_at_recall"}
